/* Expected: race-free (two states). Today the search never ends, and no limit ends it, because choices are not nodes:
   so this program has no header and the suite does not run it. */
int raceproof_range(int lo, int hi);

int main(void)
{
    while (raceproof_range(0, 1))
        ;
    return 0;
}
