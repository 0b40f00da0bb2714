"""What the system and the interpreter provide: files, locks, interrupts, processes, machine code."""
