/** How long an adapter waits for the answer to emails. */
export const POST_TIMEOUT = 20_000;

/** Not a byte has arrived: nothing can have been accepted. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';
}

// Before a connection stands, nothing can have been accepted.
const CODES = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
];
// The SDK of AWS has one name for all timeouts.
const NO_CONNECTION = /^@smithy\/node-http-handler - the request socket did not establish a connection /;

/** Whether an error of `fetch`, or of a client of AWS, says so. */
export const wasConnected = (error: unknown): boolean => !sourcesOf(error).every(isBefore);

const isBefore = (error: unknown): boolean =>
  CODES.includes((error as { code?: string } | undefined)?.code ?? '') ||
  (error instanceof Error && NO_CONNECTION.test(error.message));

/** The errors that led to this one: several where several addresses were tried. */
function sourcesOf(error: unknown): unknown[] {
  if (error instanceof AggregateError) return error.errors.flatMap(sourcesOf);
  return error instanceof Error && error.cause !== undefined ? sourcesOf(error.cause) : [error];
}
