// Runs at CloudFront before the cache lookup: decides which file is served at the URL of a page.
var PRERENDERED = ['/login', '/terms-and-conditions', '/privacy-policy'];

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  var request = event.request;
  request.uri = fileOf(request.uri);
  return request;
}

function fileOf(uri) {
  var page = uri.length > 1 && uri.endsWith('/') ? uri.slice(0, -1) : uri;
  if (page === '/') return '/index.html';
  if (PRERENDERED.includes(page)) return `${page}.html`;
  return hasExtension(page) ? page : '/app.html';
}

function hasExtension(uri) {
  return uri.slice(uri.lastIndexOf('/')).includes('.');
}
