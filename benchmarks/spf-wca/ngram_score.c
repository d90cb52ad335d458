/* Scoring a trigram against a database, from the SPF-WCA suite (TextCrunchr).
 * n: the number of trigrams in the database's bucket. Each is 3 unknown characters with a known frequency, and so is the
 * trigram of the text that is scored.
 *
 * Worst: the text's trigram is not in the database, and agrees with every entry in its first two characters: 3n decisions.
 * Whether characters differ must be answered no, no and yes, which takes a memory of two decisions.
 *
 * Paths: P(n) = 1 + 3 P(n - 1) = (3^(n+1) - 1) / 2, for the first entry is the trigram, which ends the look-up, or differs
 * first at one of three places: 4, 13, 40, 121, 364, ... 88573 at 10. The same as the table.
 * The paper names the component and gives the counts, not the set-up; this one, a single bucket searched for a single
 * trigram, is what gives those counts. */
enum { GRAM = 3, FLOOR = -1000 };

typedef unsigned char byte;

static int same_gram(const byte *a, const byte *b) {
    for (int i = 0; i < GRAM; i++) {
        if (a[i] != b[i])
            return 0;
    }
    return 1;
}

int ngram_score(const byte *database, const byte *text, int n) {
    for (int i = 0; i < n; i++) {
        if (same_gram(&database[i * GRAM], text))
            return -i;
    }
    return FLOOR;
}
