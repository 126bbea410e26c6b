const UNREADABLE = 'This MJML could not be read. Compare it with the example.';

/** Loaded when the first layout is saved, as it takes half a second. No fonts: their style sheets would be loaded from elsewhere. */
export async function mjml(source: string) {
  const { default: compile } = await import('mjml-browser');
  try {
    const { html, errors } = await compile(source, {
      fonts: {},
      keepComments: false,
      validationLevel: 'soft',
    });
    return { html, faults: errors.map(({ line, message }) => `Line ${line}: ${message}.`) };
  } catch {
    return { html: '', faults: [UNREADABLE] };
  }
}
