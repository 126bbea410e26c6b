/** What a browser asks for, as CloudFront gets it. */
export type ViewerRequest = {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  ip: string;
  body: Buffer;
};
