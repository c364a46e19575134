int main(void) {
    int squares[4];
    for (int i = 0; i <= 4; i++) // one too many
        squares[i] = i * i;
    return squares[0];
}
