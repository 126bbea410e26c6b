import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(import.meta.url);
const WITH_API = pathToFileURL(resolve('@ts-morph/common/dist/typescript.js')).href;

// The generator needs the API of TypeScript 6, which TypeScript 7 does not have.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? WITH_API : specifier, context),
});
