import { isObject, parseJson } from '../parse.ts';

const MUSTACHE = /(\\*)(\{\{+)([^{}]*)(\}+)?/g;
const NAME = /^[A-Za-z_][\w-]*$/;

/** Why SES could not render an email that it took. */
export class RenderingFailure extends Error {}

/**
 * Fills in a template as SES does where it comes with the call: variables in double braces, nothing else of Handlebars. Values
 * are neither escaped nor looked through.
 */
export function rendered(template: string, data: Record<string, unknown>): string {
  return template.replace(MUSTACHE, (whole, slashes: string, open: string, inside: string, close = '') => {
    if (slashes.length % 2 === 1) throw new RenderingFailure(`The variable in ${whole} is escaped`);
    if (open !== '{{' || close !== '}}') throw new RenderingFailure(`${whole} is not a simple substitution`);
    const name = inside.trim();
    if (!NAME.test(name)) throw new RenderingFailure(`${whole} is not a simple substitution`);
    if (!Object.hasOwn(data, name)) {
      throw new RenderingFailure(`Attribute '${name}' is not present in the rendering data.`);
    }
    return slashes.slice(slashes.length / 2) + String(data[name]);
  });
}

/** The variables in a JSON: those of an email override those of all. */
export function dataOf(...texts: string[]): Record<string, unknown> {
  return Object.assign(
    {},
    ...texts.map(text => {
      const data = parseJson(text);
      if (!isObject(data)) throw new RenderingFailure('The rendering data is no JSON object.');
      return data;
    }),
  );
}
