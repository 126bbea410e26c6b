import { join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';
import type { OpenApi } from '#shared/reference/openapi.ts';

type Source = { document: OpenApi };
type Writer = { markdownPages: (document: OpenApi) => Record<string, string> };

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'functions/http/openapi.ts');
const WRITER = join(ROOT, 'shared/reference/markdown.ts');

/** Writes the reference of the API as Markdown: `/llms.txt` and a page for each call. */
export function reference(): Plugin {
  return {
    name: 'reference',
    async generateBundle() {
      for (const [path, source] of Object.entries(await pages()))
        this.emitFile({ type: 'asset', fileName: path.slice(1), source });
    },
    configureServer({ middlewares }) {
      middlewares.use(async (request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        const isReference = pathname === '/llms.txt' || pathname.startsWith('/reference/');
        const page = isReference ? (await pages())[pathname] : undefined;
        if (page === undefined) return next();
        const type = pathname.endsWith('.md') ? 'text/markdown' : 'text/plain';
        response.setHeader('content-type', `${type}; charset=utf-8`).end(page);
      });
    },
  };
}

async function pages(): Promise<Record<string, string>> {
  const read = async <Module>(path: string) =>
    (await runnerImport<Module>(path, { configFile: false, logLevel: 'error' })).module;
  const { document } = await read<Source>(DOCUMENT);
  return (await read<Writer>(WRITER)).markdownPages(document);
}
