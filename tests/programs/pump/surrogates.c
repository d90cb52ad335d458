/* Counts the pairs of UTF-16: a high surrogate is looked for its low one past any number of variation selectors. */
int surrogates(const unsigned short *s, int n) {
    int pairs = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] < 0xD800 || s[i] > 0xDBFF)
            continue;
        int k = i + 1;
        while (k < n && (s[k] >> 4 == 0xFE0 || (s[k] >= 0xD800 && s[k] <= 0xDBFF)))
            k++;
        if (k < n && s[k] >= 0xDC00 && s[k] <= 0xDFFF)
            pairs++;
    }
    return pairs;
}
