import type { Providers } from '#core/provider.ts';
import { mailgun } from './mailgun/mailgun.ts';

export const providers: Providers = {
  mailgun,
  ses: { post: async (_, emails) => emails.map(() => ({ kind: 'not_sent', reason: 'denied', seconds: 0 })) },
};
