import { chakra } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import * as z from 'zod/mini';
import { type ListMember, NewListMember } from '../../../../shared/list-member.ts';
import { ButtonLink } from '../../components/button.tsx';
import { CheckboxField, Form, FormActions, SubmitButton, TextField } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { useLeaveMissing } from '../../components/use-leave-missing.ts';
import { useDrop, useOrganizationCall, useOrganizationData } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { Problem } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { MetadataFields } from './metadata-fields.tsx';
import { MetadataRows } from './metadata-schema.ts';

const Column = chakra('div', { base: { maxWidth: '560px' } });
const WARNING_SAID_FOR = 8000;

const Shape = z.object({
  email: NewListMember.shape.email,
  is_subscribed: z.boolean(),
  metadata: MetadataRows,
});

/** Adds one person after another to a list. */
export function NewListMemberPage() {
  const { list = '' } = useParams();
  const [form, setForm] = useState(0);
  const goesOn = useRef(false);
  const added = useRef<ListMember>(undefined);
  const navigate = useNavigate();
  const call = useOrganizationCall();
  const drop = useDrop();
  const { data: its, error } = useOrganizationData('GET /api/email-lists/{list}', { params: { list } });
  useLeaveMissing(error, its !== undefined, {
    missing: 'Email list not found',
    failed: 'Failed to fetch email list details',
  });

  async function add(values: z.output<typeof Shape>) {
    try {
      const body = { email_list_id: list, ...values };
      added.current = await call('POST /api/list-members', { body });
    } catch (problem) {
      throw explainedByStatus(problem);
    }
    tellAdded(added.current, values.is_subscribed);
    void drop('GET /api/email-lists/{list}/members');
  }

  function show() {
    if (goesOn.current) setForm(form + 1);
    else void navigate(paths.list(list), { replace: true });
  }

  return (
    <Page title={its ? `Add member to ${its.name}` : 'Add member'}>
      <Column>
        <Form
          key={form}
          schema={Shape}
          initial={{ email: '', is_subscribed: true, metadata: [] }}
          save={add}
          onSaved={show}
        >
          <TextField name="email" label="Email" type="email" autoComplete="off" autoFocus={form > 0} />
          <CheckboxField name="is_subscribed">Subscribed</CheckboxField>
          <MetadataFields />
          <FormActions>
            <SubmitButton busy="Adding..." onClick={() => (goesOn.current = false)}>
              Add member
            </SubmitButton>
            <SubmitButton look="plain" busy="Adding..." onClick={() => (goesOn.current = true)}>
              Add and continue
            </SubmitButton>
            <ButtonLink look="quiet" to={paths.list(list)}>
              Cancel
            </ButtonLink>
          </FormActions>
        </Form>
      </Column>
    </Page>
  );
}

function tellAdded({ email, is_subscribed }: ListMember, wanted: boolean) {
  if (is_subscribed === wanted) return toast(`${email} was added.`);
  const message = `${email} unsubscribed before, and was therefore added as unsubscribed.`;
  return toast(message, 'warning', WARNING_SAID_FOR);
}

/** Faults of fields stay at their fields; anything else is said in the words for this form. */
function explainedByStatus(problem: unknown): unknown {
  if (!(problem instanceof Problem)) return problem;
  if (problem.status === 422) return problem;
  if (problem.status === 500) {
    return new Problem(
      `An error occurred: ${problem.said ? problem.message : 'this email may already be in the list'}`,
      problem.status,
    );
  }
  return new Problem('An unexpected error occurred. Please try again.', problem.status);
}
