import { chakra } from '@chakra-ui/react';
import { useParams } from 'react-router';
import type { EmailList, NewList } from '../../../../shared/list.ts';
import { ButtonLink } from '../../components/button.tsx';
import { SubmitButton } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useOrganizationCall } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { toast } from '../../lib/toasts.ts';
import { ListSettings } from './list-form.tsx';
import { ListLogo } from './list-logo.tsx';
import { SendingKey } from './sending-key.tsx';
import { useKeepList, useList } from './use-lists.ts';

const Sides = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: '1fr', lg: 'minmax(0, 420px) minmax(0, 420px)' },
    columnGap: '16',
    rowGap: '8',
  },
});

export function EditListPage() {
  const { list: id = '' } = useParams();
  const { list } = useList(id);
  return (
    <Page
      title={list ? `Edit ${list.name}` : 'Edit list'}
      actions={
        <ButtonLink look="quiet" to={paths.list(id)}>
          Back to the list
        </ButtonLink>
      }
    >
      {list ? (
        <Sides>
          <Settings list={list} />
          <div>
            <SendingKey list={list} />
            <Section title="Logo">
              <ListLogo list={list} />
            </Section>
          </div>
        </Sides>
      ) : (
        <Spinner />
      )}
    </Page>
  );
}

function Settings({ list }: { list: EmailList }) {
  const call = useOrganizationCall();
  const keep = useKeepList();
  const { name, domain, sender_name, sender_address, unsubscribe_text, active } = list;

  async function save(body: NewList) {
    await keep(await call('PUT /api/email-lists/{list}', { params: { list: list.id }, body }));
  }

  return (
    <Section title="Settings">
      <ListSettings
        initial={{ name, domain, sender_name, sender_address, unsubscribe_text, active }}
        save={save}
        onSaved={() => toast('List saved.')}
        failure="Failed to update list. Please try again"
      >
        <SubmitButton busy="Saving..." strict>
          Save
        </SubmitButton>
      </ListSettings>
    </Section>
  );
}
