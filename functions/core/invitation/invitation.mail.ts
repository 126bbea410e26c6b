import { PRODUCT } from '../../../shared/brand.ts';
import { INVITATION_DAYS } from '../../../shared/invitation.ts';
import { letter } from '../letter.ts';

type Facts = { organization: string; inviter: string; role: string; link: string };

export const invitationLetter = ({ organization, inviter, role, link }: Facts) =>
  letter(`You have been invited to join ${organization} on ${PRODUCT}`, [
    {
      paragraph: `${inviter} has invited you to join ${organization} on ${PRODUCT} as ${role.toLowerCase()}.`,
    },
    { link, label: 'View invitation' },
    {
      paragraph: `The invitation is valid for ${INVITATION_DAYS} days. If you did not expect it, ignore this mail.`,
    },
  ]);
