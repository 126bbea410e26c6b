// Of a new connection, its handshake included, on the smallest function.
const CONNECTING_MS = 2_000;

/**
 * How long a client of AWS waits for one attempt: the SDK itself waits without end, and a connection that hangs would take all the
 * time of an invocation. What it retries then is safe to repeat, as after any answer that was lost.
 */
export const within = (milliseconds: number) => ({
  requestHandler: {
    connectionTimeout: CONNECTING_MS,
    // Until the answer begins, and between two parts of it.
    requestTimeout: milliseconds,
    socketTimeout: milliseconds,
    throwOnRequestTimeout: true,
  },
});
