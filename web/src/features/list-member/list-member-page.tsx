import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { type ListMember, SUPPRESSED } from '../../../../shared/list-member.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Status } from '../../components/status.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { formatDate } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { withFallbackMessage } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { Activity } from './activity.tsx';
import { isFromList } from './from-list.ts';
import { MetadataTable } from './metadata-table.tsx';
import { SubscriptionButton } from './subscription-button.tsx';
import { useListMember } from './use-list-member.ts';

const NoticeFrame = chakra('div', { base: { mb: '5' } });

/** The page of a list member: membership, metadata and activity. */
export function ListMemberPage() {
  const { member: id = '' } = useParams();
  const { member, update, subscribe, remove } = useListMember(id);
  return (
    <Page
      title={member?.email ?? 'List member'}
      actions={
        member && (
          <>
            <SubscriptionButton member={member} onChange={subscribe} />
            <CopyButton text={member.email} label="Copy address" variant="ghost" />
            <CopyButton text={member.id} label="Copy id" variant="ghost" />
            <DeleteButton member={member} remove={remove} />
          </>
        )
      }
    >
      {member?.suppression && (
        <NoticeFrame>
          <Notice tone="warning">
            <span id="suppressed">{SUPPRESSED[member.suppression]}</span>
          </Notice>
        </NoticeFrame>
      )}
      <Section title="Membership">
        <Facts>
          <Fact name="List">
            {member && <TextLink to={paths.list(member.email_list.id)}>{member.email_list.name}</TextLink>}
          </Fact>
          <Fact name="Status">
            {member && (
              <Status tone={member.is_subscribed ? 'usual' : 'off'}>
                {member.is_subscribed ? 'Subscribed' : 'Unsubscribed'}
              </Status>
            )}
          </Fact>
          <Fact name="Added">{member && formatDate(member.created_at)}</Fact>
          <Fact name="Updated">{member && formatDate(member.updated_at)}</Fact>
        </Facts>
      </Section>
      <MetadataTable metadata={member?.metadata} update={metadata => update({ metadata })} />
      <Activity member={id} />
    </Page>
  );
}

function DeleteButton({ member, remove }: { member: ListMember; remove: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const { state } = useLocation();
  const { email, email_list } = member;

  async function confirm() {
    await withFallbackMessage(remove(), 'Failed to delete member');
    toast(`${email} was deleted from ${email_list.name}.`);
    if (isFromList(state)) await navigate(-1);
    else await navigate(paths.list(email_list.id), { replace: true });
  }

  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && (
        <ConfirmDialog
          title="Delete this member?"
          confirm="Delete member"
          loadingText="Deleting..."
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          {email} is removed from {email_list.name}, with all metadata in it. Whether they unsubscribed is
          kept, so that nobody mails them by mistake.
        </ConfirmDialog>
      )}
    </>
  );
}
