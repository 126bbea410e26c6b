import type { Plugin } from 'vite';

const FILES: Record<string, string> = {
  '/': '/index.html',
  '/login': '/login.html',
  '/terms-and-conditions': '/terms-and-conditions.html',
  '/privacy-policy': '/privacy-policy.html',
};

/** Maps paths to HTML files in development, as CloudFront does in a deployment. */
export function prettyPaths(): Plugin {
  return {
    name: 'pretty-paths',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
        const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
        if (wantsPage && !pathname.includes('.')) request.url = (FILES[pathname] ?? '/app.html') + search;
        next();
      });
    },
  };
}
