// How much does a price move? The tour of the book (docs/tour.md) repairs it.
#include <stdio.h>

#define DAYS 500

int main(void)
{
    static double price[DAYS];
    double change, sum = 0, largest = 0;
    for (int day = 0; day < DAYS; day++)
        price[day] = day * 37 % 101;

    #pragma omp parallel for
    for (int day = 1; day < DAYS; day++) {
        change = price[day] - price[day - 1];
        if (change < 0)
            change = -change;
        sum += change;
        #pragma omp critical
        if (change > largest)
            largest = change;
    }
    printf("on average %.2f, at most %.2f\n", sum / (DAYS - 1), largest);
    return 0;
}
