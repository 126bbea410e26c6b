import { Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { ListMemberRow } from '#shared/list-member.ts';
import type { MemberImport } from '#shared/member-import.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Modal } from '#web/components/modal.tsx';
import { useOrganizationCall, useOrganizationData } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { useAction } from '#web/lib/use-action.ts';

const MEMBERS = 'GET /api/email-lists/{list}/imports/{memberImport}/members';

type Props = { list: string; of: MemberImport; onClose: () => void };

/** The members that an import added, page by page. */
export default function ImportMembers({ list, of, onClose }: Props) {
  const params = { list, memberImport: of.id };
  const call = useOrganizationCall();
  const { data: first, error, mutate } = useOrganizationData(MEMBERS, { params });
  const [more, setMore] = useState<{ rows: ListMemberRow[]; cursor: string | null }>();
  const cursor = more ? more.cursor : first?.next_cursor;
  const {
    run,
    isRunning,
    error: failure,
  } = useAction(async () => {
    if (!cursor) return;
    const page = await call(MEMBERS, { params, query: { cursor } });
    setMore({ rows: [...(more?.rows ?? []), ...page.data], cursor: page.next_cursor });
  });
  return (
    <Modal title={`Members added by ${of.file_name}`} onClose={onClose} width="560px">
      <DataTable
        label="Members of the import"
        rows={first && [...first.data, ...(more?.rows ?? [])]}
        rowKey={({ id }) => id}
        rowName={({ email }) => email}
        problem={error}
        onRetry={() => void mutate()}
        columns={[
          {
            key: 'email',
            header: 'Email',
            width: 'minmax(0, 2fr)',
            cell: ({ id, email }) => <TextLink to={paths.listMember(id)}>{email}</TextLink>,
          },
          {
            key: 'status',
            header: 'Status',
            width: '140px',
            cell: ({ is_subscribed }) => (is_subscribed ? 'Subscribed' : 'Unsubscribed'),
          },
        ]}
        empty={
          <EmptyState title="None of its members are left" cause="It added nobody, or they were removed." />
        }
        more={
          cursor && (
            <Button loading={isRunning} loadingText="Loading..." onClick={() => void run()}>
              Show more
            </Button>
          )
        }
      />
      {failure && (
        <Text role="alert" mt="2" color="fg.error">
          {failure}
        </Text>
      )}
    </Modal>
  );
}
