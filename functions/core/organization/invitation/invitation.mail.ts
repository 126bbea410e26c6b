import { letter } from '#core/mail.ts';
import { PRODUCT } from '#shared/brand.ts';
import { INVITATION_DAYS } from '#shared/invitation.ts';

type Facts = { organization: string; inviter: string; role: string; link: string };

const LONGEST_NAME = 50;

/** A name that a stranger has chosen: quoted, and too short to carry a message of theirs. */
function quoted(name: string): string {
  const characters = [...name];
  return characters.length > LONGEST_NAME ? `“${characters.slice(0, LONGEST_NAME).join('')}…”` : `“${name}”`;
}

/** The letter of an invitation. Its subject has no names, as a name could be any sentence. */
export const invitationLetter = ({ organization, inviter, role, link }: Facts) =>
  letter(`You have been invited to an organization on ${PRODUCT}`, [
    {
      paragraph: `${quoted(inviter)} has invited you to join ${quoted(organization)} on ${PRODUCT} as ${role.toLowerCase()}.`,
    },
    { link, label: 'View invitation' },
    {
      paragraph: `The invitation is valid for ${INVITATION_DAYS} days. If you did not expect it, ignore this mail.`,
    },
  ]);
