import type { EmailSend } from '#shared/send.ts';
import { DELETED } from '#shared/send-status.ts';
import { onDemand } from '#web/components/on-demand.tsx';

const MemberExplanation = onDemand(() => import('./member-explanation.tsx'));

/** Why an email was sent, or not: known only while both the member and the automation exist. */
export const explanationOf = ({ list_member_id, automation_id, automation_name }: EmailSend) =>
  list_member_id !== null &&
  automation_name &&
  automation_name !== DELETED && <MemberExplanation member={list_member_id} automation={automation_id} />;
