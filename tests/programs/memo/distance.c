/* The edit distance of a word to a fixed one, row by row, with one row kept. */

static const unsigned char fixed[] = {'l', 'e', 'v', 'e', 'l'};
#define LENGTH 5

static int row[LENGTH + 1];

int distance(const unsigned char *word, int n) {
    for (int k = 0; k <= LENGTH; k++)
        row[k] = k;
    for (int i = 0; i < n; i++) {
        int before = row[0];
        row[0] = i + 1;
        for (int k = 1; k <= LENGTH; k++) {
            int best = before;
            if (word[i] != fixed[k - 1]) {
                best++;
                if (row[k] + 1 < best)
                    best = row[k] + 1;
                if (row[k - 1] + 1 < best)
                    best = row[k - 1] + 1;
            }
            before = row[k];
            row[k] = best;
        }
    }
    return row[LENGTH];
}
