python3 src/queue.py
