/** A request as CloudFront gets it from a browser, or as it sends it to the API. */
export type ViewerRequest = {
  method: string;
  path: string;
  query: string;
  /** Names in lower case; several values of one name are joined by a comma. */
  headers: Record<string, string>;
  ip: string;
  body: Buffer;
};
