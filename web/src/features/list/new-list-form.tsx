import { useNavigate } from 'react-router';
import type { EmailList, NewList } from '#shared/list.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { SubmitButton } from '#web/components/form.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { ListSettings } from './list-form.tsx';

const BLANK = {
  name: '',
  public_name: '',
  domain: '',
  sender_name: '',
  sender_address: '',
  unsubscribe_text: 'Unsubscribe',
  time_zone: null,
  active: true,
};

export default function NewListForm() {
  const change = useOrganizationChange();
  const navigate = useNavigate();

  async function create(body: NewList) {
    const created = await change('POST /api/email-lists', { body });
    toast('List created.');
    return created;
  }

  // The page of the list shows what is missing before emails can be sent.
  const showList = ({ id }: EmailList) => void navigate(paths.list(id), { replace: true });

  return (
    <ListSettings initial={BLANK} save={create} onSaved={showList} failure="Error creating email list">
      <ButtonLink variant="ghost" to={paths.lists()}>
        Cancel
      </ButtonLink>
      <SubmitButton loadingText="Creating..." strict>
        Create list
      </SubmitButton>
    </ListSettings>
  );
}
