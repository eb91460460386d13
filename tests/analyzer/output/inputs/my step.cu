void forward(int step) {
	if (step % 10 == 0) wait_for_it();
}
