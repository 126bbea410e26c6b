import type {
  BulkEmailEntryResult,
  BulkEmailStatus,
  GetAccountResponse,
  SendBulkEmailRequest,
} from '@aws-sdk/client-sesv2';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Access, Outcome, OutgoingEmail } from '#core/provider.ts';
import { trackedUrl } from '#core/recipient/tracking.ts';
import { bulkOf } from '#functions/providers/ses/bulk.ts';
import { createSes } from '#functions/providers/ses/ses.ts';
import { rendered } from '#shared/email/email.ts';
import { CORPUS } from '../shared/email/corpus.ts';
import { compiled, layoutWith } from '../support/layout.ts';
import { LOOK } from '../support/look.ts';
import { anyEmails, emailTo, people } from '../support/outgoing.ts';
import { extent } from '../support/prove.ts';

const ACCESS: Access = { organization: 7, domain: 'example.com', region: 'eu' };
const PLACE = { configurationSet: 'letterflow-test', tenant: 'letterflow-test-7' };
const YES = async () => true;

const FEEDBACK = 'automation-1:list-1:7:letterflow';

/** As the sender writes it: with an id that may be a tag. */
function outgoing(
  to: string,
  ...rest: Parameters<typeof emailTo> extends [string, ...infer Rest] ? Rest : never
) {
  const email = emailTo(to, ...rest);
  return asSent(email);
}

const asSent = (email: OutgoingEmail): OutgoingEmail => {
  const id = `7-${Buffer.from(email.to).toString('base64url')}-1`;
  return {
    ...email,
    id,
    headers: { 'Message-Id': `<${id}@example.com>`, 'Feedback-ID': FEEDBACK, ...email.headers },
  };
};

/** Handlebars, as far as SES has it for inline templates: simple substitutions, without HTML escapes. All else is an error. */
function handlebars(template: string, data: Record<string, string>): string {
  let out = '';
  let at = 0;
  for (;;) {
    const open = template.indexOf('{{', at);
    if (open < 0) return out + template.slice(at);
    const before = template.slice(at, open);
    if (/(^|[^\\])\\$/.test(before)) throw new Error('an escaped variable');
    out += before.endsWith('\\\\') ? before.slice(0, -1) : before;
    const [whole = '', name = ''] = /^\{\{([a-z]\w*)\}\}(?!\})/.exec(template.slice(open)) ?? [];
    if (!whole || !Object.hasOwn(data, name))
      throw new Error(`no variable: ${template.slice(open, open + 20)}`);
    out += data[name];
    at = open + whole.length;
  }
}

const dataIn = (request: SendBulkEmailRequest, at: number): Record<string, string> =>
  JSON.parse(
    request.BulkEmailEntries?.[at]?.ReplacementEmailContent?.ReplacementTemplate?.ReplacementTemplateData ??
      '',
  );

/** Without what keeps Handlebars from taking a text for a variable. */
const plain = (text: string) => text.replaceAll('&#123;', '{').replaceAll('{\u2060', '{');

function expectEach(emails: OutgoingEmail[]): void {
  const request = bulkOf(ACCESS, PLACE, emails);
  const { Subject = '', Html = '', Text = '' } = request.DefaultContent?.Template?.TemplateContent ?? {};
  for (const [at, email] of emails.entries()) {
    const got = [Subject, Html, Text].map(part => plain(handlebars(part, dataIn(request, at))));
    const { subject, html, text } = rendered(email);
    expect(got).toEqual([subject, html, text].map(plain));
  }
  const values = emails.flatMap((_, at) => Object.values(dataIn(request, at)));
  expect(values.filter(value => plain(value) === value && value.includes('{{'))).toEqual([]);
}

describe('one call for many emails', () => {
  it.each(Object.entries(CORPUS))('gives each their own email: %s', (_, { content, metadata = {} }) => {
    const [ann, ben, cleo] = people(3) as [string, string, string];
    expectEach([
      emailTo(ann, content, metadata as Record<string, string>),
      emailTo(ben, content, { name: 'Ben' }),
      emailTo(cleo, { subject_line: 'Another one', preheader: null }, { name: 'Cleo' }, 'ar'),
    ]);
  });

  it('gives each their own email in a layout of one’s own, which is taken apart as texts are', async () => {
    const html =
      '{ \\<a href="https://a.example.com/%recipient.v0%">%recipient.v0% %unsubscribe_url% {&#123;v0}}</a>{\\';
    const design = { look: { ...LOOK, layout: await compiled(layoutWith(html)) }, name: '' };
    const values = { name: '{{cta}} {{v0}} %recipient.v1%' };
    const content = { pre_cta_content: 'Hello {{name}}' };
    expectEach(people(3).map((to, n) => emailTo(to, content, n < 2 ? values : {}, 'en', design)));
  });

  it('gives each their own email, whatever is written', () => {
    const piece = fc.constantFrom(
      '{{name}}',
      "{{x | 'y'}}",
      '[a](https://x.example.com/?{{x}})',
      '{',
      '}',
      '{{',
      '{{{',
      '}}',
      '}}}',
      '\\',
      '\\\\',
      '{{v0}}',
      '{{{v0}}}',
      '{{#if x}}',
      '{{> part}}',
      '{{!--',
      '"',
      '\n\n',
      '&#123;',
      'text ',
    );
    fc.assert(fc.property(anyEmails(piece), expectEach), { numRuns: extent(150, 1_000) });
  });

  it('a name is never read as words of Base64 that it is not', () => {
    const text = '=?UTF-8?B?AGNlb0BiYW5rLmV4YW1wbGU=?=';
    const [email] = people(1).map(to => ({ ...outgoing(to), from: `"${text}" <us@example.com>` }));
    const { FromEmailAddress = '' } = bulkOf(ACCESS, PLACE, [email as OutgoingEmail]);
    expect(FromEmailAddress).not.toContain(text);
    expect(Buffer.from(FromEmailAddress.split('?')[3] ?? '', 'base64').toString()).toBe(text);
  });

  it('holds once what all share, with headers, reply address, tags and places beside it', () => {
    const emails = people(3).map(to => {
      const email = outgoing(to, { pre_cta_content: 'Hello. [look](https://shop.example.com/a?b=1)' });
      return {
        ...email,
        from: '"Zoë" <us@example.com>',
        headers: { ...email.headers, 'Reply-To': 'team@bücher.example' },
      };
    });
    const { DefaultContent, BulkEmailEntries = [], ...rest } = bulkOf(ACCESS, PLACE, emails);
    expect(rest).toEqual({
      FromEmailAddress: '=?UTF-8?B?Wm/Dqw==?= <us@example.com>',
      ReplyToAddresses: ['team@xn--bcher-kva.example'],
      ConfigurationSetName: PLACE.configurationSet,
      TenantName: PLACE.tenant,
      ConfigurationOverrides: {
        Tracking: { OpenTrackingEnabled: 'DISABLED', ClickTrackingEnabled: 'DISABLED' },
      },
    });
    expect(DefaultContent?.Template?.TemplateContent?.Html).toContain('Hello.');
    expect(DefaultContent?.Template?.Headers).toEqual([{ Name: 'X-Same', Value: 'yes' }]);
    for (const [at, { Destination, ReplacementHeaders, ReplacementTags }] of BulkEmailEntries.entries()) {
      const email = emails[at] as OutgoingEmail;
      expect(Destination).toEqual({ ToAddresses: [email.to] });
      expect(ReplacementHeaders).toEqual([
        { Name: 'List-Unsubscribe', Value: email.headers['List-Unsubscribe'] },
      ]);
      expect(ReplacementTags).toEqual([
        { Name: 'send', Value: email.id },
        { Name: 'ses:feedback-id-a', Value: 'automation-1' },
        { Name: 'ses:feedback-id-b', Value: 'list-1' },
      ]);
    }
  });
});

type Given = SendBulkEmailRequest;
const to = ({ BulkEmailEntries = [] }: Given) =>
  BulkEmailEntries.flatMap(({ Destination }) => Destination?.ToAddresses ?? []);

const all =
  (Status: BulkEmailStatus) =>
  ({ BulkEmailEntries = [] }: Given) => ({ BulkEmailEntryResults: BulkEmailEntries.map(() => ({ Status })) });

/** An SES that answers so, what it was asked, and how long the adapter waited between calls. */
function answering(
  answer: (request: Given, nth: number) => unknown,
  account: GetAccountResponse = {},
  pause: () => Promise<void> = async () => {},
) {
  const asked: Given[] = [];
  const pauses: number[] = [];
  const ses = createSes(
    {
      async sendBulkEmail(request) {
        asked.push(request);
        const given = answer(request, asked.length);
        if (given instanceof Error) throw given;
        return given;
      },
      getAccount: async () => account,
    },
    {
      placeOf: () => PLACE,
      pause(ms) {
        pauses.push(ms);
        return pause();
      },
    },
  );
  const post = (emails: OutgoingEmail[], mayContinue = YES, access = ACCESS) =>
    ses.post(access, emails, mayContinue);
  return { ses, asked, pauses, post };
}

const kinds = (outcomes: Outcome[]) => outcomes.map(({ kind }) => kind);
const exception = (name: string, httpStatusCode = 400) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
const unsent = (reason: string, seconds = 0) => ({ kind: 'not_sent', reason, seconds });

it.each([1, 4, 243])('a thousand emails of %i combinations are twenty calls', async combinations => {
  const { post, asked } = answering(all('SUCCESS'));
  const emails = people(1_000).map((to, n) => {
    const of = (part: number) =>
      `Part ${part} in version ${Math.floor((n % combinations) / 3 ** part) % 3}. `.repeat(20);
    const content = {
      subject_line: of(0).slice(0, 80),
      pre_cta_content: of(1),
      after_cta_content: of(2),
      footer: of(3),
      preheader: of(4).slice(0, 80),
    };
    return outgoing(to, content, { name: `Reader ${n}` });
  });
  expect(new Set(kinds(await post(emails)))).toEqual(new Set(['accepted']));
  expect(asked).toHaveLength(20);
  expect(asked.flatMap(to).sort()).toEqual(people(1_000).sort());
});

describe('the result of an entry', () => {
  it.each<[BulkEmailStatus | 'SOMETHING_NEW', object]>([
    ['SUCCESS', { kind: 'accepted' }],
    ['MESSAGE_REJECTED', { kind: 'refused' }],
    ['INVALID_PARAMETER', { kind: 'refused' }],
    ['ACCOUNT_THROTTLED', unsent('throttled', 30)],
    ['ACCOUNT_DAILY_QUOTA_EXCEEDED', unsent('throttled', 900)],
    ['ACCOUNT_SENDING_PAUSED', unsent('throttled', 900)],
    ['CONFIGURATION_SET_SENDING_PAUSED', unsent('throttled', 900)],
    ['MAIL_FROM_DOMAIN_NOT_VERIFIED', unsent('denied')],
    ['CONFIGURATION_SET_NOT_FOUND', unsent('denied')],
    ['TEMPLATE_NOT_FOUND', unsent('denied')],
    ['INVALID_SENDING_POOL_NAME', unsent('denied')],
    ['ACCOUNT_SUSPENDED', unsent('denied')],
    ['TRANSIENT_FAILURE', { kind: 'unknown' }],
    ['FAILED', { kind: 'unknown' }],
    ['SOMETHING_NEW', { kind: 'unknown' }],
  ])('%s is that of its email alone', async (Status, outcome) => {
    const bad = 'reader1@example.com';
    const { post, asked } = answering(request => ({
      BulkEmailEntryResults: to(request).map(one => ({ Status: one === bad ? Status : 'SUCCESS' })),
    }));
    // Calls have emails with the same content side by side.
    const texts = ['B', 'A', 'B'];
    expect(await post(people(3).map((to, n) => outgoing(to, { pre_cta_content: texts[n] ?? '' })))).toEqual([
      { kind: 'accepted' },
      outcome,
      { kind: 'accepted' },
    ]);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['none', {}],
    ['one too few', { BulkEmailEntryResults: [{ Status: 'SUCCESS' }] }],
    ['one too many', { BulkEmailEntryResults: Array<BulkEmailEntryResult>(3).fill({ Status: 'SUCCESS' }) }],
    ['something else', { BulkEmailEntryResults: 'SUCCESS' }],
    ['nothing', undefined],
  ])('is unknown for all if there is %s', async (_, answer) => {
    const { post } = answering(() => answer);
    expect(kinds(await post(people(2).map(to => outgoing(to))))).toEqual(['unknown', 'unknown']);
  });

  it('that was not sent, also beside others that were, ends the calls that would follow', async () => {
    const { post, asked } = answering((request, nth) => ({
      BulkEmailEntryResults: to(request).map((_, at) => ({
        Status: nth === 2 && at === 1 ? 'ACCOUNT_THROTTLED' : 'SUCCESS',
      })),
    }));
    const outcomes = kinds(await post(people(200).map(to => outgoing(to))));
    expect(asked).toHaveLength(2);
    expect([99, 101]).toEqual(
      ['accepted', 'not_sent'].map(kind => outcomes.filter(one => one === kind).length),
    );
  });
});

describe('an answer for a whole call', () => {
  it.each<[Error, object]>([
    [exception('TooManyRequestsException', 429), unsent('throttled', 30)],
    [exception('LimitExceededException'), unsent('throttled', 30)],
    [exception('ThrottlingException'), unsent('throttled', 30)],
    [exception('SendingPausedException'), unsent('throttled', 900)],
    [exception('AccountSuspendedException'), unsent('denied')],
    [exception('MailFromDomainNotVerifiedException'), unsent('denied')],
    [exception('NotFoundException', 404), unsent('denied')],
    [exception('AccessDeniedException', 403), unsent('denied')],
    [exception('MessageRejected'), { kind: 'refused' }],
    [exception('BadRequestException'), { kind: 'refused' }],
    [exception('SomethingElse'), { kind: 'unknown' }],
    [exception('TooManyRequestsException', 500), { kind: 'unknown' }],
    [exception('InternalServiceErrorException', 500), { kind: 'unknown' }],
    [new SyntaxError('no JSON'), { kind: 'unknown' }],
    [Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), { kind: 'unknown' }],
    [Object.assign(new Error('no answer within 20000 ms'), { name: 'TimeoutError' }), { kind: 'unknown' }],
    [Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), unsent('unreachable')],
    [
      new AggregateError([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })]),
      unsent('unreachable'),
    ],
    [
      Object.assign(
        new Error(
          '@smithy/node-http-handler - the request socket did not establish a connection with the server within the configured timeout of 2000 ms.',
        ),
        { name: 'TimeoutError' },
      ),
      unsent('unreachable'),
    ],
  ])('%s', async (error, outcome) => {
    const { post, asked } = answering(() => error);
    expect(await post([outgoing('ann@example.com')])).toEqual([outcome]);
    expect(asked).toHaveLength(1);
  });

  it('that names a fault is asked again for the halves, each email in one accepted call', async () => {
    const bad = ['reader3@example.com', 'reader77@example.com'];
    const { post, asked } = answering(request =>
      to(request).some(one => bad.includes(one)) ? exception('BadRequestException') : all('SUCCESS')(request),
    );
    const emails = people(100).map(to => outgoing(to));
    const outcomes = await post(emails);
    expect(emails.filter((_, at) => outcomes[at]?.kind === 'refused').map(({ to }) => to)).toEqual(bad);
    const sent = asked.map(to).filter(group => !group.some(one => bad.includes(one)));
    expect(sent.flat()).toHaveLength(98);
    expect(new Set(sent.flat()).size).toBe(98);
  });
});

describe('a call', () => {
  it('is at most a megabyte, and 262,144 characters for one email', async () => {
    const { post, asked } = answering(all('SUCCESS'));
    const text = (n: number) => `${n} "quoted" `.repeat(1_000);
    await post(
      people(100).map((to, n) => outgoing(to, { pre_cta_content: text(n), after_cta_content: text(n) })),
    );
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.flatMap(to)).toHaveLength(100);
    for (const request of asked)
      expect(Buffer.byteLength(JSON.stringify(request))).toBeLessThanOrEqual(1_000_000);
    const huge = (n: number) => `${n} `.repeat(80_000);
    const larger = answering(all('SUCCESS'));
    await larger.post(people(2).map((to, n) => outgoing(to, { pre_cta_content: huge(n) })));
    expect(larger.asked.map(to)).toEqual([[people(2)[0]], [people(2)[1]]]);
  });

  it('is made only where it may be', async () => {
    const { post, asked } = answering(all('SUCCESS'));
    let times = 0;
    const outcomes = await post(
      people(150).map(to => outgoing(to)),
      async () => ++times <= 2,
    );
    expect(asked).toHaveLength(2);
    expect(outcomes.filter(({ kind }) => kind === 'not_sent')).toEqual(Array(50).fill(unsent('interrupted')));
  });

  it.each([
    [14, 14, 1_000],
    [200, 50, 250],
    [1, 1, 1_000],
  ])(
    'has, at %i emails a second, at most %i, and the next one follows after %i ms',
    async (perSecond, most, gap) => {
      const { post, asked, pauses } = answering(all('SUCCESS'));
      await post(
        people(100).map(to => outgoing(to)),
        YES,
        { ...ACCESS, perSecond },
      );
      expect(to(asked[0] as Given)).toHaveLength(most);
      expect(pauses[0]).toBe(gap);
      expect(asked.flatMap(to)).toHaveLength(100);
    },
  );

  it('waits for its turn also behind that for another batch, and may not be made any more by then', async () => {
    const ends: (() => void)[] = [];
    const { post, asked } = answering(all('SUCCESS'), {}, () => new Promise(end => ends.push(end)));
    const emails = people(10).map(to => outgoing(to));
    let may = true;
    const batch = () => post(emails, async () => may, { ...ACCESS, perSecond: 10 });
    await batch();
    const [second, third] = [batch(), batch()];
    await new Promise(setImmediate);
    expect(asked).toHaveLength(1);
    ends.shift()?.();
    await second;
    await new Promise(setImmediate);
    expect(asked).toHaveLength(2);
    may = false;
    ends.shift()?.();
    expect(await third).toEqual(Array(10).fill(unsent('interrupted')));
    expect(asked).toHaveLength(2);
  });

  it('of a list in test mode goes to the simulator, which delivers nothing', async () => {
    const { post, asked } = answering(all('SUCCESS'));
    const email = outgoing('ann@example.com');
    await post([email], YES, { ...ACCESS, testMode: true });
    expect(asked.flatMap(to)).toEqual([`success+${email.id}@simulator.amazonses.com`]);
  });
});

describe('what SES cannot take as it is', () => {
  it.each<[string, Partial<OutgoingEmail>]>([
    ['an address with other letters than ASCII', { to: 'zoë@example.com' }],
    ['a sender with other letters than ASCII', { from: '"Zoe" <zoë@example.com>' }],
    ['a reply address with other letters than ASCII', { headers: { 'Reply-To': 'zoë@example.com' } }],
    [
      'a header that is longer than 995 characters',
      { headers: { 'List-Unsubscribe': `<${'x'.repeat(994)}>` } },
    ],
    ['a header with other letters than ASCII', { headers: { 'X-Name': 'Zoë' } }],
    ['an id that is no tag', { id: 'a b' }],
  ])('%s: is refused alone, and never cut', async (_, change) => {
    const { post, asked } = answering(all('SUCCESS'));
    const outcomes = await post([outgoing('ann@example.com'), { ...outgoing('ben@example.com'), ...change }]);
    expect(kinds(outcomes)).toEqual(['accepted', 'refused']);
    expect(asked.flatMap(to)).toEqual(['ann@example.com']);
  });

  it('a domain in other letters is written as DNS has it', async () => {
    const { post, asked } = answering(all('SUCCESS'));
    await post([{ ...outgoing('ann@example.com'), to: 'ann@bücher.example' }]);
    expect(asked.flatMap(to)).toEqual(['ann@xn--bcher-kva.example']);
  });

  it('does not happen to the unsubscribe link with the longest names', async () => {
    const { post } = answering(all('SUCCESS'));
    const link = trackedUrl(`https://${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`, 'key', 'unsubscribe', {
      organization: 281_474_976_710_655,
      hash: Buffer.alloc(16, 255).toString('base64url'),
      seq: 4_294_967_295,
      written: new Date('2030-01-01T00:00:00Z'),
      language: 'pt-BR',
      list: '漢'.repeat(255),
      sender: {
        name: '字'.repeat(255),
        address: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.example.com`,
      },
      logo: `/files/logos/${'1'.repeat(15)}/${'a'.repeat(26)}.png`,
    });
    const email = { ...outgoing('ann@example.com'), headers: { 'List-Unsubscribe': `<${link}>` } };
    expect(link.length).toBeGreaterThan(700);
    expect(kinds(await post([email]))).toEqual(['accepted']);
  });
});

describe('the pace', () => {
  const account = (more: GetAccountResponse = {}, quota = {}) => ({
    SendingEnabled: true,
    EnforcementStatus: 'HEALTHY',
    SendQuota: { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 1_200, ...quota },
    ...more,
  });
  const PACE = { perSecond: 14, left: 48_800, isPaused: false };

  it.each<[string, GetAccountResponse, object]>([
    ['an account', account(), PACE],
    ['one that is under review', account({ EnforcementStatus: 'PROBATION' }), PACE],
    ['one that was shut down', account({ EnforcementStatus: 'SHUTDOWN' }), { ...PACE, isPaused: true }],
    ['one that is paused', account({ SendingEnabled: false }), { ...PACE, isPaused: true }],
    ['one without a limit', account({}, { Max24HourSend: -1 }), { ...PACE, left: Number.MAX_SAFE_INTEGER }],
    ['one that has sent more than its limit', account({}, { SentLast24Hours: 60_000 }), { ...PACE, left: 0 }],
  ])('is that of %s', async (_, given, pace) => {
    expect(await answering(() => ({}), given).ses.pace?.()).toEqual(pace);
  });

  it('is not guessed', async () => {
    await expect(answering(() => ({})).ses.pace?.()).rejects.toThrow('SES names no sending quota');
  });
});

it('a call of texts beyond ASCII stays below a megabyte', async () => {
  const { post, asked } = answering(all('SUCCESS'));
  const text = (n: number) => `${n} ${'привет '.repeat(2_000)}`;
  await post(people(50).map((to, n) => outgoing(to, { pre_cta_content: text(n) })));
  expect(asked.flatMap(to)).toHaveLength(50);
  for (const request of asked)
    expect(Buffer.byteLength(JSON.stringify(request))).toBeLessThanOrEqual(1_000_000);
});
