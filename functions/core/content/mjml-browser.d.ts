/** Its own types are those of the package `mjml`, which reads files. */
declare module 'mjml-browser' {
  type Options = { fonts: object; keepComments: boolean; validationLevel: 'soft' };
  type Compiled = { html: string; errors: { line: number; message: string }[] };
  export default function compile(source: string, options: Options): Promise<Compiled>;
}
