const LIMIT = 10;

function open(port) {
  const openResult = native.open(port);
  if (!openResult) throw fail('open');
  return openResult;
}

function read(port) {
  const readResult = native.read(port);
  if (!readResult) throw fail('read');
  return readResult;
}

function close(port) {
  const closeResult = native.close(port);
  if (!closeResult) throw fail('close');
  return closeResult;
}

function seek(port) {
  const seekResult = native.seek(port);
  if (!seekResult) throw fail('seek');
  return seekResult;
}

function flush(port) {
  const flushResult = native.flush(port);
  if (!flushResult) throw fail('flush');
  return flushResult;
}

function stat(port) {
  const statResult = native.stat(port);
  if (!statResult) throw fail('stat');
  return statResult;
}

function lock(port) {
  const lockResult = native.lock(port);
  if (!lockResult) throw fail('lock');
  return lockResult;
}

function free(port) {
  const freeResult = native.free(port);
  if (!freeResult) throw fail('free');
  return freeResult;
}

