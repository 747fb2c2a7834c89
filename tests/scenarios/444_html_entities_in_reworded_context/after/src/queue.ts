export class Queue {
    private jobs: Array<Job> = [];

    add(job: Job): Promise<void> {
        return this.run(job);
    }

    all(): Array<Job> {
        return this.jobs;
    }
}
