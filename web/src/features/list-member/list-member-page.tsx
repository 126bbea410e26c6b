import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import type { ListMember } from '#shared/list-member.ts';
import { SUPPRESSED } from '#shared/suppression.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Page } from '#web/components/page.tsx';
import { Section } from '#web/components/section.tsx';
import { formatDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { useNavigateFromHere } from '#web/lib/use-navigate-from-here.ts';
import { Activity } from './activity.tsx';
import { DeleteMembers } from './delete-members.tsx';
import { Explanations } from './explanations.tsx';
import { isFromList } from './from-list.ts';
import { SubscriptionStatus } from './member-columns.tsx';
import { MetadataTable } from './metadata-table.tsx';
import { PersonalDataMenu } from './personal-data-menu.tsx';
import { SubscriptionButton } from './subscription-button.tsx';
import { useKnownMember, useListMember } from './use-list-member.ts';

/** The page of a list member: membership, metadata and activity. */
export function ListMemberPage() {
  const { listMember: id = '' } = useParams();
  const { member, update, subscribe, remove } = useListMember(id);
  const known = useKnownMember(id);
  const shown = member ?? known;
  const list = shown?.email_list;
  const leave = useLeaveFor(list?.id);
  return (
    <Page
      title={shown?.email ?? 'List member'}
      actions={
        <>
          <PersonalDataMenu member={member} onErased={leave} />
          <DeleteButton member={member} remove={remove} />
          <CopyButton text={id} label="Copy ID" variant="ghost" />
          <CopyButton text={shown?.email} label="Copy address" variant="ghost" />
          <SubscriptionButton
            member={member}
            isSubscribed={shown?.is_subscribed ?? true}
            onChange={subscribe}
          />
        </>
      }
    >
      {shown ? (
        <>
          <Section title="Membership">
            <Facts>
              <Fact name="List">{list && <TextLink to={paths.list(list.id)}>{list.name}</TextLink>}</Fact>
              <Fact name="Status">
                <SubscriptionStatus {...shown} />
              </Fact>
              <Fact name="Added">{formatDate(shown.created_at)}</Fact>
              <Fact name="Updated">{formatDate(shown.updated_at)}</Fact>
            </Facts>
            {member?.suppression && (
              <Notice tone="warning" mt="4">
                <span id="suppressed">{SUPPRESSED[member.suppression]}</span>
              </Notice>
            )}
          </Section>
          <MetadataTable metadata={member?.metadata} update={metadata => update({ metadata })} />
        </>
      ) : (
        // A long address or list name would move what is shown below it.
        <Loading shape={['title', 'line', 'line', 'line', 'line', 240]} />
      )}
      <Activity member={id} hidden={!member} />
      <Explanations member={id} hidden={!member} />
    </Page>
  );
}

/** Leaves the page of a deleted member for their list: for that page of it from which the user has come, if any. */
function useLeaveFor(list: string | undefined) {
  const { navigate, isLeft } = useNavigateFromHere();
  const { state } = useLocation();
  return async () => {
    if (isLeft()) return;
    if (isFromList(state)) await navigate(-1);
    else await navigate(list === undefined ? paths.lists() : paths.list(list), { replace: true });
  };
}

type DeleteProps = { member: ListMember | undefined; remove: () => Promise<void> };

function DeleteButton({ member, remove }: DeleteProps) {
  const [asking, setAsking] = useState(false);
  const leave = useLeaveFor(member?.email_list.id);

  async function confirm({ email, email_list }: ListMember) {
    await remove();
    toast(`${email} was deleted from ${email_list.name}.`);
    await leave();
  }

  return (
    <>
      <Button variant="ghost" disabled={!member} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking && member && (
        <DeleteMembers
          members={[member]}
          from={member.email_list.name}
          onDelete={() => confirm(member)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
