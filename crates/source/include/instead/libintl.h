/* Texts in the user's language: they are in the programmer's. */
#ifndef SLOWPATH_LIBINTL_H
#define SLOWPATH_LIBINTL_H

#include <slowpath_absent.h>

SLOWPATH_ABSENT(char *, (char *)text, gettext, const char *text)
SLOWPATH_ABSENT(char *, (char *)text, dgettext, const char *domain, const char *text)
SLOWPATH_ABSENT(char *, (char *)text, dcgettext, const char *domain, const char *text, int category)
SLOWPATH_ABSENT(char *, (char *)(n == 1 ? one : many), ngettext, const char *one, const char *many, unsigned long n)
SLOWPATH_ABSENT(char *, (char *)(n == 1 ? one : many), dngettext, const char *domain, const char *one, const char *many, unsigned long n)
SLOWPATH_ABSENT(char *, (char *)domain, textdomain, const char *domain)
SLOWPATH_ABSENT(char *, (char *)folder, bindtextdomain, const char *domain, const char *folder)
SLOWPATH_ABSENT(char *, (char *)codes, bind_textdomain_codeset, const char *domain, const char *codes)

#endif
