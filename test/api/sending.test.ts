import { describe, expect, it } from 'vitest';
import { newAddress } from '../support/client.ts';
import { newAutomation, newTemplate } from '../support/content.ts';
import { programFor } from '../support/list.ts';
import { newMailing } from '../support/mailing.ts';
import { proof } from '../support/proof.ts';
import { extent } from '../support/prove.ts';
import { sendingOn } from '../support/sending-stack.ts';
import { sharedStack, withRaces } from '../support/stack.ts';

const stack = sharedStack();
withRaces();
const { call, advance } = stack;
const { faults, mailed, pass } = sendingOn(stack);
const MINUTE = 60;

describe('An email', () => {
  it('carries all that it must: sender, tracked links, pixel, ways to unsubscribe, a name of its own', async () => {
    const mailing = await newMailing(stack);
    const ann = await mailing.due();
    const moved = await advance(3 * MINUTE);
    expect(moved).toMatchObject({ sweeps: 3, sends: 1 });
    const [mail, ...others] = (await stack.fetchJson('GET', `/_local/inbox?to=${ann.email}`)).body.messages;
    expect(others).toEqual([]);
    const token = (purpose: string) => `${stack.url()}/t/${purpose}/[\\w-]{60,}`;
    const { send } = mail.variables;
    expect(mail).toMatchObject({
      from: '"The shop" <hello@example.com>',
      subject: 'Welcome aboard',
      headers: {
        'Message-Id': `<${send}@example.com>`,
        'List-Unsubscribe': expect.stringMatching(`^<${token('u')}>$`),
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
    expect(mail.html).toMatch(new RegExp(`<a href="${token('c')}"[^>]*>Look around</a>`));
    expect(mail.html).toMatch(new RegExp(`<img src="${token('o')}" width="1" height="1"`));
    expect(mail.html).toMatch(new RegExp(`href="${token('u')}"`));
    expect(mail.html).not.toContain('https://shop.example.com/start');
    expect(mail.text).toMatch(/^Welcome aboard\n\nGood to have you\.\n\nHello Ann, this is number/);
    expect(mail.text).toMatch(new RegExp(token('u')));
    expect(`${mail.html}${mail.text}`).not.toMatch(/%recipient|{{/);

    const [row] = await mailing.log();
    expect(row).toMatchObject({ end: 'sent', recipient: ann.email });
    expect(send).toBe(`${mailing.owner.home.id}-${row?.id}`);
    const { body } = await call('GET /api/email-sends/{emailSend}/content', {
      ...mailing.as,
      params: { emailSend: row?.id ?? '' },
    });
    expect(body.sender).toMatchObject({ email: 'hello@example.com', subject: 'Welcome aboard' });
  });
});

proof(
  'An event starts its email at once, and one a day; an older one starts only what is due from now on',
  async () => {
    const { owner, list, add, inSeconds } = await newMailing(stack);
    const event = { starts_at: 'event', metadata_trigger: 'ordered', repeat: 'once' } as const;
    const automation = await newAutomation(stack, owner, { lists: [list], ...event });
    await newTemplate(stack, owner, { automation_ids: [automation] });
    const { apiToken } = await programFor(stack, owner, list);
    const [ann, ben] = [newAddress('ann'), newAddress('ben')];
    for (const email of [ann, ben]) await add(email, {});
    const send = async (email: string, at: string) => {
      const events = [{ event: 'ordered', email, at }];
      const as = { token: apiToken, organization: owner.home.id };
      const { body } = await call('POST /api/v1/events', { ...as, body: { events } });
      expect(body.results).toMatchObject([{ index: 0, status: 'stored' }]);
      await stack.fetchJson('POST', '/_local/drain');
      return mailed({ email });
    };
    const at = await inSeconds(0);
    expect(await send(ann, at)).toBe(1);
    expect(await send(ann, new Date(Date.parse(at) + 1).toISOString())).toBe(1);
    expect(await send(ben, await inSeconds(-2 * 60 * MINUTE))).toBe(0);
  },
);

describe('Where a process is killed', () => {
  // Longer than a message stays invisible.
  const LATER = 10 * MINUTE;

  proof('the sweep, as its first message has arrived: nobody gets two, nobody none', async () => {
    const mailings = [await newMailing(stack), await newMailing(stack)];
    const people = await Promise.all(mailings.map(({ due }) => due()));
    await faults({ kill: 'sweep' });
    await advance(2 * MINUTE);
    await pass(LATER);
    expect(await Promise.all(people.map(mailed))).toEqual([1, 1]);
    for (const { log } of mailings) expect((await log()).map(({ end }) => end)).toEqual(['sent']);
  });

  it.each([['after_post', 1] as const, ...extent([], [['before_post', 0] as const])])(
    'the sender, %s: the email is shown as unknown, and not sent again',
    async (kill, mails) => {
      const mailing = await newMailing(stack);
      const ann = await mailing.due();
      await faults({ kill });
      await advance(2 * MINUTE);
      await pass(LATER);
      expect(await mailed(ann)).toBe(mails);
      expect(await mailing.log()).toMatchObject([{ end: 'unknown: no_answer', recipient: ann.email }]);
    },
  );
});

proof(
  'An answer of the provider that is lost leaves an email unknown; a user may send it again, once',
  async () => {
    const mailing = await newMailing(stack);
    const ann = await mailing.due();
    await faults({ provider: 'drop_after_accept' });
    await advance(3 * MINUTE);
    await faults({});
    await pass(10 * MINUTE);
    expect(await mailed(ann)).toBe(1);
    const [row] = await mailing.log('unknown');
    const resend = () =>
      call('POST /api/email-sends/{emailSend}/resend', {
        ...mailing.as,
        params: { emailSend: row?.id ?? '' },
      });
    const answers = await Promise.all([resend(), resend()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await advance(3 * MINUTE);
    expect(await mailed(ann)).toBe(2);
    expect((await mailing.log()).map(({ end }) => end)).toEqual(['sent', 'unknown: no_answer']);
  },
);
