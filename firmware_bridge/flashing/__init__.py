"""What is written into a microcontroller's flash, and how: UF2, file system, BOOTSEL drive."""
