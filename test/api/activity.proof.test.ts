import { beforeAll, describe, expect, it } from 'vitest';
import { newMail, visitLink } from '../support/mail.ts';
import { newMailing } from '../support/mailing.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();

let mailing: Awaited<ReturnType<typeof newMailing>>;
let mail: Awaited<ReturnType<typeof newMail>>;
beforeAll(async () => {
  mailing = await newMailing(stack);
  mail = await newMail(stack, mailing);
  await visitLink(mail.pixel);
  await visitLink(mail.click);
});

const content = (listMemberAction: string) =>
  stack.call('GET /api/list-member-actions/{listMemberAction}/email-content', {
    ...mailing.as,
    params: { listMemberAction },
  });

describe('The actions of a member', () => {
  it('have what came of an email, and its content by the action that sent it alone', async () => {
    const query = { list_member_id: mail.id };
    const { body: all } = await stack.call('GET /api/list-member-actions', { ...mailing.as, query });
    expect(all).toMatchObject([
      {
        type: 'click',
        formatted_metadata: {
          destination_url: 'https://shop.example.com/start',
          asset_type: 'cta_url',
          source: 'A person',
          subject: 'Welcome aboard',
          automation_name: 'welcome',
        },
      },
      { type: 'open', metadata: { source: 'person', email: all[2].id } },
      { type: 'email_sent', formatted_metadata: { trigger_metadata: expect.stringContaining('T') } },
      { type: 'subscribe' },
    ]);
    const { status, body } = await content(all[2].id);
    expect([status, body.sender.subject, body.plaintext.split('\n')[0]]).toEqual([
      200,
      'Welcome aboard',
      'Welcome aboard',
    ]);
    for (const { id } of [all[0], all[1], all[3]]) expect(await content(id)).toMatchObject({ status: 404 });
  });
});
