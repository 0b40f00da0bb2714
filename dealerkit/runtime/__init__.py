"""Services of the operating system and the interpreter: files, locks, interrupts, processes, machine code."""
