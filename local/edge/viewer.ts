/** A request as CloudFront gets it from a browser. */
export type ViewerRequest = {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  ip: string;
  body: Buffer;
};
