// Runs at CloudFront before the cache lookup, on the domains of lists: they serve links of emails, and nothing else.
var LINK = /^\/t\/[cou]\/[\w-]+$/;
var VALIDATION = /^\/\.well-known\/pki-validation\/[\w-][\w.-]*$/;

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  var request = event.request;
  // CloudFront answers there when the certificate of a domain is issued or renewed.
  if (VALIDATION.test(request.uri)) return request;
  if (!LINK.test(request.uri)) return { statusCode: 404, statusDescription: 'Not Found' };
  // Those of the domain above it are nobody's here, and a request has a limit.
  request.cookies = {};
  request.headers['x-tracking-domain'] = { value: request.headers.host.value };
  return request;
}
