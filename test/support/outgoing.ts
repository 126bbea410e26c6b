import fc from 'fast-check';
import type { OutgoingEmail } from '#core/provider.ts';
import type { Content } from '#shared/email/content.ts';
import { compose, write } from '#shared/email/email.ts';
import type { Reader } from '#shared/email/encode.ts';
import type { Design } from '#shared/email/layout.ts';
import { PLAIN } from '../shared/email/corpus.ts';

const readerOf = (to: string, metadata: Record<string, string> = {}): Reader => ({
  values: new Map(Object.entries({ email: to, ...metadata })),
  language: 'en',
  unsubscribe: `https://mail.example.com/t/u/${to}`,
  files: 'https://mail.example.com',
  tracked: (url, part) =>
    `https://mail.example.com/t/c/${Buffer.from(`${to} ${part} ${url}`).toString('base64url')}`,
  pixel: `https://mail.example.com/t/o/${to}`,
});

export function emailTo(
  to: string,
  content: Partial<Content> = {},
  metadata = {},
  language = 'en',
  design?: Design,
): OutgoingEmail {
  const email = compose({ ...PLAIN, ...content }, { language, unsubscribeWord: 'Unsubscribe', design });
  const reader = readerOf(to, metadata);
  return {
    ...write(email, reader),
    to,
    from: '"Us" <us@example.com>',
    id: `1-${to}-1`,
    headers: { 'List-Unsubscribe': `<${reader.unsubscribe}>`, 'X-Same': 'yes' },
  };
}

export const people = (count: number) => Array.from({ length: count }, (_, n) => `reader${n}@example.com`);

const PARTS = [
  'subject_line',
  'preheader',
  'pre_cta_content',
  'cta_text',
  'after_cta_content',
  'footer',
] as const;

/** Emails of a call, some with the same content, in which these pieces stand in any order. */
export function anyEmails(piece: fc.Arbitrary<string>): fc.Arbitrary<OutgoingEmail[]> {
  const text = fc.array(piece, { maxLength: 8 }).map(all => `a${all.join('')}`);
  const values = fc.dictionary(fc.constantFrom('name', 'x'), fc.oneof(text, fc.constant('')), {
    noNullPrototype: true,
  });
  const content = fc.record(Object.fromEntries(PARTS.map(part => [part, text])));
  const one = fc.record({ content, values });
  return fc
    .tuple(fc.array(one, { minLength: 1, maxLength: 4 }), fc.nat(3))
    .map(([all, shared]) =>
      all.map(({ content, values }, n) =>
        emailTo(`reader${n}@example.com`, n <= shared && all[0] ? all[0].content : content, values),
      ),
    );
}
