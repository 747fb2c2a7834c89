class Queue {
  constructor(items) {
    this.items = items;
  }

  first() {
    return this.items[0];
  }

  onDrain() {
    log('drained');
  }

  merge(rest) {
    return new Queue(
      this.items.concat(rest),
    );
  }

  options() {
    return {
      size: this.items.length,
      kind: 'queue',
    };
  }

  push(at) {
    this.check('push', at);
    this.items.push(at);
    this.changed('push');
  }

  fill(at) {
    this.check('fill', at);
    this.items.fill(at);
    this.changed('fill');
  }

  splice(at) {
    this.check('splice', at);
    this.items.splice(at);
    this.changed('splice');
  }
}
