// Loaded with --import before all other modules, to plant the fault whose name is in PLANTED.
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PLANTED as OF_MODEL } from '../model/planted.ts';
import { PLANTED } from './planted.ts';

const planted = [...PLANTED, ...OF_MODEL].find(({ name }) => name === process.env.PLANTED);
if (!planted) throw new Error(`No such fault: ${process.env.PLANTED}`);
const { file, find, replace } = planted;
const url = new URL(`../../${file}`, import.meta.url).href;

registerHooks({
  load(loaded, context, nextLoad) {
    const module = nextLoad(loaded, context);
    if (loaded !== url) return module;
    const parts = String(module.source).split(find);
    if (parts.length !== 2) {
      throw new Error(`"${find}" occurs ${parts.length - 1} times in ${fileURLToPath(loaded)}`);
    }
    return { ...module, source: parts.join(replace) };
  },
});
