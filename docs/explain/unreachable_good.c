int days(int month) {
    switch (month) {
    case 2:
        return 28;
    case 4:
        return 30;
    }
    return 31;
}

int main(void) {
    return days(5);
}
