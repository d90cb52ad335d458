/* Where do two blocks of memory first differ, and how many lines come before? From the XSTRESSOR suite, which took GNU cmp's
 * inner function; this one does what that one does, word by word.
 * n: the length of the blocks in words of eight bytes (at most 4096). All words are unknown.
 *
 * While the words are equal, the ends of lines in them are counted. In the first two that are not, the same is done byte
 * by byte. After the n words comes one that differs, put there so that the loops need no other end.
 *
 * Counted: branches, which are the comparisons of words and of bytes; no single line is in both loops.
 * Worst: only the last byte of all differs. The first loop then finds n - 1 equal words and the second seven equal bytes, n + 8
 * comparisons in all. (If nothing differs, the first loop makes one more and the second seven less. In instructions, as
 * counting lines is work, that is the worst.)
 *
 * Paths: 8n + 1. No branch depends on how many lines there are. */
#include "slowpath.h"

enum { MOST = 4096, LINE_END = '\n' };

static uint64_t first[MOST + 1], second[MOST + 1];
static int lines;

static int is_line_end(uint64_t word, int byte) { return (word >> 8 * byte & 255) == LINE_END; }

/* Without a loop, whose branches would outnumber the comparisons that are to be counted. */
static int line_ends(uint64_t word) {
    return is_line_end(word, 0) + is_line_end(word, 1) + is_line_end(word, 2) + is_line_end(word, 3) + is_line_end(word, 4) +
           is_line_end(word, 5) + is_line_end(word, 6) + is_line_end(word, 7);
}

static int block_compare(const uint64_t *p, const uint64_t *q) {
    const uint64_t *p_word = p, *q_word = q;
    lines = 0;
    while (*p_word == *q_word) {
        lines += line_ends(*p_word);
        p_word++;
        q_word++;
    }
    const unsigned char *p_byte = (const unsigned char *)p_word, *q_byte = (const unsigned char *)q_word;
    while (*p_byte == *q_byte) {
        lines += *p_byte == LINE_END;
        p_byte++;
        q_byte++;
    }
    return p_byte - (const unsigned char *)p;
}

int block_compare_words(int n) {
    slowpath_u64_array(first, n, "first");
    slowpath_u64_array(second, n, "second");
    first[n] = 0;
    second[n] = ~first[n];
    slowpath_begin();
    int at = block_compare(first, second);
    slowpath_end();
    return at;
}
