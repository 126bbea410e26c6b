import { expect, it } from 'vitest';
import { compose, fill } from '#shared/email/email.ts';
import { headOf, inScheme, showsRemoteImages } from '#web/entities/email/email-frame.tsx';
import { columnsIn, contentOf, sampleReader, warningsIn } from '#web/entities/email/email-preview.tsx';
import { sampleOf } from '#web/entities/email/parts.tsx';
import { generatePreview } from '#web/entities/email/preview-dialog.tsx';
import { Problem } from '#web/lib/problem.ts';

const preview = (plaintext: string) => ({
  html: '',
  plaintext,
  sender: { name: '', email: 'hello@example.com', list_name: 'Customers' },
  seed: 'abc',
});
const signal = new AbortController().signal;

function server(...answers: (string | Problem)[]) {
  const asked = { times: 0 };
  const get = async () => {
    const answer = answers[Math.min(asked.times, answers.length - 1)] ?? '';
    asked.times += 1;
    if (answer instanceof Problem) throw answer;
    return preview(answer);
  };
  return { asked, get };
}

it('a preview is asked for until there is one', async () => {
  const { asked, get } = server('', 'Could not generate a preview', new Problem('Down', 502), 'Hello');
  expect(await generatePreview(get, signal, 0)).toEqual(preview('Hello'));
  expect(asked.times).toBe(4);
});

it('a preview is given up after 50 requests', async () => {
  const { asked, get } = server('Could not generate a preview');
  await expect(generatePreview(get, signal, 0)).rejects.toThrow(
    'Failed to generate email preview. Please make sure you have at least one active template.',
  );
  expect(asked.times).toBe(50);
});

it.each([400, 403, 404, 409, 429, undefined])('a preview is not asked for again after a %s', async status => {
  const { asked, get } = server(new Problem('No', status));
  await expect(generatePreview(get, signal, 0)).rejects.toThrow('No');
  expect(asked.times).toBe(1);
});

it('a preview is not asked for any more once its dialog is closed', async () => {
  const closed = new AbortController();
  const asked = { times: 0 };
  const get = async () => {
    asked.times += 1;
    if (asked.times === 3) closed.abort();
    return preview('');
  };
  await expect(generatePreview(get, closed.signal, 0)).rejects.toThrow();
  expect(asked.times).toBe(3);
});

it('the policy of an email comes first, and allows images only on demand', () => {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: cid:; form-action 'none'; base-uri 'none'";
  const head = headOf({ scheme: 'light', images: false });
  expect(head.startsWith(`<meta http-equiv="Content-Security-Policy" content="${policy}">`)).toBe(true);
  expect(headOf({ scheme: 'light', images: true })).toContain('img-src data: cid: https:;');
});

it('an email is in the scheme that is looked at, whatever that of the app', () => {
  const styles =
    '@media (prefers-color-scheme:dark){a{b:c}}@media screen and ( PREFERS-color-scheme: light ){}';
  expect(inScheme(styles, 'dark')).toBe('@media (min-width:0){a{b:c}}@media screen and (max-width:0){}');
  expect(inScheme(styles, 'light')).toBe('@media (max-width:0){a{b:c}}@media screen and (min-width:0){}');
});

it.each([
  ['<img src="https://a.example/b.png">', true],
  ["<img alt='' src=//a.example/b.png>", true],
  ['<td background="https://a.example/b.png">', true],
  ['<p style="background:url( https://a.example/b.png)">', true],
  ['<a href="https://a.example/">img src</a>', false],
  ['<img src="data:image/png;base64,AA">', false],
  ['<img src="http://a.example/b.png">', false],
])('%s has images to load: %s', (html, has) => expect(showsRemoteImages(html)).toBe(has));

const DRAFT = {
  subject_line: 'Hi {{first_name}}',
  pre_cta_content: "Your {{plan_name | 'plan'}} for {{automation_name}}, {{first_name}}.",
  cta_text: 'Look',
  cta_url: 'https://example.com/?{{utm_tags_automation_id}}',
  footer: '{{UNSUB_LINK}} {{broken',
};

it('a sample member has what the content asks for', () => {
  expect(columnsIn(DRAFT)).toEqual(['first_name', 'plan_name']);
  expect(sampleOf('first_name')).toBe('Ada');
  expect(sampleOf('plan_name')).toBe('plan name');
  const email = compose(contentOf(DRAFT), { language: 'en', unsubscribeWord: 'Unsubscribe' });
  const { subject, text } = fill(email, sampleReader({ first_name: 'Grace', plan_name: '' }, 'en'));
  expect(subject).toBe('Hi Grace');
  expect(text).toContain('Your plan for welcome, Grace.');
  expect(text).toContain('utm_medium=email&utm_source=lf&utm_campaign=a1b2c3d4e5f6');
});

it('a sample member has an address, which is no metadata', () => {
  const draft = { footer: 'Sent to {{email}}' };
  expect(columnsIn(draft)).toEqual([]);
  const email = compose(contentOf(draft), { language: 'en', unsubscribeWord: 'Unsubscribe' });
  expect(fill(email, sampleReader({}, 'en')).text).toContain('Sent to ada@example.com');
});

it('a possible mistake of the author is reported once', () => {
  const braces = '{{broken is not a placeholder: write {{broken}}';
  expect(warningsIn(DRAFT)).toEqual([
    braces,
    "Members without first_name see nothing in its place: a default is written {{first_name | 'Default'}}.",
  ]);
  expect(warningsIn({ footer: "{{a}} {{b | ''}} {{c | 'x'}} {{UNSUB_LINK}} {{a}}" })).toEqual([
    "Members without a or b see nothing in its place: a default is written {{a | 'Default'}}.",
  ]);
  expect(warningsIn({ subject_line: 'Hi' })).toEqual([]);
});

it('an unfinished email can be shown', () => {
  const email = compose(contentOf({ subject_line: null }), { language: 'ar', unsubscribeWord: 'x' });
  expect(fill(email, sampleReader({}, 'ar')).html).toContain('dir="rtl"');
});
