import { type Look, text } from '../support/browser/look.ts';

export const looks: Look[] = [
  {
    name: 'an invitation that leads nowhere',
    path: '/invitations/accept/nothing',
    until: text('This invitation does not exist any more.'),
  },
  {
    name: 'an invitation, to somebody who is not signed in',
    path: '/invitations/accept/nothing',
    who: null,
    until: text('Please sign in'),
  },
];
