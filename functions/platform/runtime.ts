export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment lacks ${name}`);
  return value;
}

/** The only clock: everything else takes the time as an argument. */
export const now = () => new Date();

// The time limit of a new connection with its handshake, on the smallest function.
const CONNECTING_MS = 2_000;

/** The SDK has no timeout of its own, and a hanging connection would take all the time of an invocation. */
export const withTimeout = (milliseconds: number) => ({
  requestHandler: {
    connectionTimeout: CONNECTING_MS,
    // The time until the response begins, and between two parts of it.
    requestTimeout: milliseconds,
    socketTimeout: milliseconds,
    throwOnRequestTimeout: true,
  },
});
