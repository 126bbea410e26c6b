import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Access, Outcome, OutgoingEmail } from '#core/provider.ts';
import { NotConnected } from '#functions/providers/connection.ts';
import { bytesOf, createMailgun, messageOf } from '#functions/providers/mailgun/mailgun.ts';
import type { Response } from '#functions/providers/mailgun/request.ts';
import { rendered } from '#shared/email/email.ts';
import { CORPUS, PLAIN } from '../shared/email/corpus.ts';
import { compiled, layoutWith } from '../support/layout.ts';
import { LOOK } from '../support/look.ts';
import { anyEmails, emailTo, people } from '../support/outgoing.ts';
import { proof } from '../support/proof.ts';
import { extent } from '../support/prove.ts';

const ACCESS: Access = { organization: 1, key: 'key-one', domain: 'example.com', region: 'eu' };
const ACCEPTED: Response = { status: 200, retryAfter: null, body: { id: '<1@example.com>' } };
const YES = async () => true;

/** What Mailgun makes of a request for one of its recipients: in one pass, so that nothing in a value is a variable. */
function delivered(message: ReturnType<typeof messageOf>, to: string) {
  const put = (text: string) =>
    text.replace(/%recipient\.([^%\r\n]+)%/g, (all, key: string) => message.variables[to]?.[key] ?? all);
  const { subject, html, text, headers, send } = message;
  return {
    subject: put(subject),
    html: put(html),
    text: put(text),
    send: put(send ?? ''),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, put(value)])),
  };
}

/** Without what keeps Mailgun from taking a text for its own variable. */
const plain = (text: string) => text.replaceAll('&#37;', '%').replaceAll('%\u2060', '%');

function expectEach(emails: OutgoingEmail[]): void {
  const message = messageOf(emails);
  for (const email of emails) {
    const got = delivered(message, email.to);
    const { subject, html, text } = rendered(email);
    expect([got.subject, got.text, got.html].map(plain)).toEqual([subject, text, html].map(plain));
    expect([got.send, got.headers]).toEqual([email.id, email.headers]);
  }
  expectOnlyOurs(message);
}

/** Nothing that somebody has written is a variable. */
function expectOnlyOurs({ subject, html, text, variables }: ReturnType<typeof messageOf>): void {
  const values = Object.values(variables);
  const ours = new Set(values.flatMap(own => Object.keys(own)));
  for (const body of [subject, html, text]) {
    const named = [
      ...body.matchAll(/%(recipient\.([^%]*)%|recipient|unsubscribe|mailing_list|tag_unsubscribe)/gi),
    ];
    expect(named.filter(([, , key = '']) => !ours.has(key))).toEqual([]);
  }
  for (const value of values.flatMap(own => Object.values(own))) {
    expect(value).not.toMatch(/%(recipient|unsubscribe|mailing_list|tag_unsubscribe)/i);
  }
}

describe('one request for many emails', () => {
  it.each(Object.entries(CORPUS))(
    'gives each recipient their own email: %s',
    (_, { content, metadata = {} }) => {
      const [ann, ben, cleo] = people(3) as [string, string, string];
      expectEach([
        emailTo(ann, content, metadata as Record<string, string>),
        emailTo(ben, content, { name: 'Ben' }),
        emailTo(cleo, { subject_line: 'Another one', preheader: null }, { name: 'Cleo' }, 'ar'),
      ]);
    },
  );

  it('gives each their own email in a layout of one’s own, which is taken apart as texts are', async () => {
    const html =
      '{ \\<a href="https://a.example.com/%recipient.v0%">%recipient.v0% %unsubscribe_url% {&#123;v0}}</a>{\\';
    const design = { look: { ...LOOK, layout: await compiled(layoutWith(html)) }, name: '' };
    const values = { name: '{{cta}} {{v0}} %recipient.v1%' };
    const content = { pre_cta_content: 'Hello {{name}}' };
    expectEach(people(3).map((to, n) => emailTo(to, content, n < 2 ? values : {}, 'en', design)));
  });

  it('gives each recipient their own email, whatever is written', () => {
    const piece = fc.constantFrom(
      '{{name}}',
      "{{x | 'y'}}",
      '{{UNSUB_LINK}}',
      '[a](https://x.example.com/?{{x}})',
      '%recipient.',
      '%',
      'recipient.v0%',
      'v0%',
      '%recipient.v0%',
      '%unsubscribe_url%',
      '\n\n',
      '&',
      '<b>',
      'text ',
    );
    fc.assert(fc.property(anyEmails(piece), expectEach), { numRuns: extent(50, 200) });
  });

  it('holds once what all share, and one variable for a link in HTML and in text', () => {
    const link = '[look](https://shop.example.com/a?b=1)';
    const message = messageOf(
      people(3).map(to => emailTo(to, { pre_cta_content: `Hello. ${link} ${link}` })),
    );
    const values = Object.values(message.variables[people(3)[0] ?? ''] ?? {});
    expect(new Set(values).size).toBe(values.length);
    expect(message.html).toContain('Hello.');
    const clicks = values.filter(value => value.includes('/t/c/'));
    // The button, and the link that stands there twice.
    expect(clicks).toHaveLength(2);
    expect(values.filter(value => value.includes('/t/u/'))).toHaveLength(2);
  });

  it('has in a variable what differs by content, and in the body the rest', () => {
    const emails = people(4).map((to, n) => emailTo(to, { pre_cta_content: `Text ${n % 2}` }));
    const message = messageOf(emails);
    expect(message.html).not.toContain('Text 0');
    expect(message.subject).toBe(PLAIN.subject_line);
    expect(bytesOf(message)).toBeLessThan(2 * bytesOf(messageOf(emails.slice(0, 1))) + 4 * 2_000);
    expectEach(emails);
  });

  it('a newsletter with 45 links of a campaign fits into two requests for a thousand people', () => {
    const links = Array.from(
      { length: 45 },
      (_, n) => `[link ${n}](https://shop.example.com/${n}?{{utm}}&id=${'x'.repeat(60)})`,
    );
    const some = extent(100, 1_000);
    const emails = people(some).map(to => {
      const email = emailTo(
        to,
        { pre_cta_content: links.join('\n') },
        { utm: `utm_medium=email&utm_campaign=${'c'.repeat(40)}` },
      );
      return email;
    });
    expect(bytesOf(messageOf(emails))).toBeLessThan((2 * 24_000_000 * some) / 1_000);
  });
});

/** A Mailgun that answers so, and what was posted to it. */
function answering(answer: (to: string[], nth: number) => Response | Error) {
  const posted: string[][] = [];
  const mailgun = createMailgun(async (_, form) => {
    const to = form.getAll('to').map(String);
    posted.push(to);
    const given = answer(to, posted.length);
    if (given instanceof Error) throw given;
    return given;
  });
  const post = (emails: OutgoingEmail[], mayContinue = YES) => mailgun.post(ACCESS, emails, mayContinue);
  return { mailgun, posted, post };
}

const status = (
  code: number,
  body: unknown = { message: 'x' },
  retryAfter: string | null = null,
): Response => ({ status: code, body, retryAfter });
const kinds = (outcomes: Outcome[]) => outcomes.map(({ kind }) => kind);

it.each([
  [true, 'yes'],
  [undefined, null],
])(
  'emails of a list whose test mode is %s are posted with it, also those of a call that is divided',
  async (testMode, told) => {
    const modes: unknown[] = [];
    const mailgun = createMailgun(async (_, form) => {
      modes.push(form.get('o:testmode'));
      return modes.length === 1 ? status(400) : ACCEPTED;
    });
    const access = testMode ? { ...ACCESS, testMode } : ACCESS;
    await mailgun.post(
      access,
      people(2).map(to => emailTo(to)),
      YES,
    );
    expect(modes).toEqual([told, told, told]);
  },
);

describe('an answer', () => {
  it.each<[string, Response | Error, Outcome]>([
    ['200 with an id', ACCEPTED, { kind: 'accepted', provider_id: '<1@example.com>' }],
    [
      '200 with a very long id',
      status(200, { id: 'x'.repeat(10_000) }),
      { kind: 'accepted', provider_id: 'x'.repeat(300) },
    ],
    ['200 without an id', status(200, {}), { kind: 'unknown' }],
    ['200 of something else', status(200, null), { kind: 'unknown' }],
    ['400', status(400), { kind: 'refused' }],
    ['400 without JSON', status(400, null), { kind: 'unknown' }],
    ['402', status(402), { kind: 'refused' }],
    ['413 of a proxy', status(413, null), { kind: 'unknown' }],
    ...[401, 403, 404].map((code): [string, Response, Outcome] => [
      String(code),
      status(code, null),
      { kind: 'not_sent', reason: 'denied', seconds: 0 },
    ]),
    ['429', status(429), { kind: 'not_sent', reason: 'throttled', seconds: 30 }],
    ['500', status(500), { kind: 'unknown' }],
    ['503', status(503, null), { kind: 'unknown' }],
    ['no connection', new NotConnected('refused'), { kind: 'not_sent', reason: 'unreachable', seconds: 0 }],
    ['a broken connection', new Error('socket hang up'), { kind: 'unknown' }],
  ])('%s', async (_, answer, outcome) => {
    const { post, posted } = answering(() => answer);
    expect(await post([emailTo('ann@example.com')])).toEqual([outcome]);
    expect(posted).toHaveLength(1);
  });

  it.each([
    ['7.2', 8],
    ['3600', 3600],
    ['86400', 3600],
    ['Tue, 01 Jan 2030 10:02:00 GMT', 120],
    ['Wed, 02 Jan 2030 10:00:00 GMT', 3600],
    ['Tue, 01 Jan 2030 09:59:00 GMT', 30],
    ...['0', '-5', 'Infinity', '1e999', '', 'soon', '2030-01-01', 'Tue, 99 Jan 2030 10:02:00 GMT'].map(
      (text): [string, number] => [text, 30],
    ),
  ])('429 with Retry-After "%s" means to wait for %i seconds', async (retryAfter, seconds) => {
    const answer = { ...status(429, {}, retryAfter), date: 'Tue, 01 Jan 2030 10:00:00 GMT' };
    const { post } = answering(() => answer);
    expect(await post([emailTo('ann@example.com')])).toMatchObject([{ reason: 'throttled', seconds }]);
  });

  it('429 with a date to retry at says nothing where it does not say when it was given', async () => {
    const { post } = answering(() => status(429, {}, 'Tue, 01 Jan 2030 10:02:00 GMT'));
    expect(await post([emailTo('ann@example.com')])).toMatchObject([{ reason: 'throttled', seconds: 30 }]);
  });

  it('that names a fault is asked again for the halves, until the addresses are found that are not taken', async () => {
    const bad = ['reader3@example.com', 'reader17@example.com'];
    const { post, posted } = answering(to => (to.some(one => bad.includes(one)) ? status(400) : ACCEPTED));
    const emails = people(40).map(to => emailTo(to));
    const outcomes = await post(emails);
    expect(emails.filter((_, at) => outcomes[at]?.kind === 'refused').map(({ to }) => to)).toEqual(bad);
    expect(kinds(outcomes).filter(kind => kind === 'accepted')).toHaveLength(38);
    const sent = posted.filter(to => !to.some(one => bad.includes(one))).flat();
    expect(new Set(sent).size).toBe(sent.length);
  });

  it('that names a fault in all of them ends after twelve addresses', async () => {
    const { post, posted } = answering(() => status(400));
    expect(new Set(kinds(await post(people(1000).map(to => emailTo(to)))))).toEqual(new Set(['refused']));
    expect(posted.length).toBeLessThan(50);
  });

  it('after which nothing more is sent ends the posting', async () => {
    const { post, posted } = answering((_, nth) => (nth === 1 ? status(400) : status(429)));
    expect(kinds(await post(people(4).map(to => emailTo(to))))).toEqual(Array(4).fill('not_sent'));
    expect(posted).toHaveLength(2);
  });

  it('is asked for only where it may be, before each request', async () => {
    const { post, posted } = answering(to => (to.length > 1 ? status(400) : ACCEPTED));
    let asked = 0;
    const outcomes = await post(
      people(4).map(to => emailTo(to)),
      async () => ++asked <= 3,
    );
    expect(posted).toHaveLength(3);
    expect(kinds(outcomes).sort()).toEqual(['accepted', 'not_sent', 'not_sent', 'not_sent']);
    expect(outcomes).toContainEqual({ kind: 'not_sent', reason: 'interrupted', seconds: 0 });
  });
});

describe('a request', () => {
  proof('is at most a thousand people, each address once, and 24 MB', async () => {
    const { post, posted } = answering(() => ACCEPTED);
    const long = 'x'.repeat(9_000);
    const emails = [
      ...people(1500).map((to, n) =>
        emailTo(to, { pre_cta_content: `${long} ${n}`, after_cta_content: `${long} ${n}` }),
      ),
      emailTo('reader0@example.com'),
    ];
    expect(new Set(kinds(await post(emails)))).toEqual(new Set(['accepted']));
    for (const to of posted) {
      expect(to.length).toBeLessThanOrEqual(1_000);
      expect(new Set(to).size).toBe(to.length);
    }
    expect(posted.flat()).toHaveLength(1501);
    expect(posted.length).toBeGreaterThan(2);
  });

  it('keeps the order of the outcomes', async () => {
    const { post } = answering(to => (to.includes('reader1@example.com') ? status(400) : ACCEPTED));
    const emails = people(3).map((to, n) => emailTo(to, { subject_line: `${9 - n}` }));
    expect(kinds(await post(emails))).toEqual(['accepted', 'refused', 'accepted']);
  });
});
