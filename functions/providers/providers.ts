import type { Providers } from '#core/provider.ts';
import { mailgun } from './mailgun/mailgun.ts';
import { ses } from './ses/ses.ts';

export const providers: Providers = { mailgun, ses };
