import { chakra } from '@chakra-ui/react';
import * as z from 'zod/mini';
import { NewOrganization, type Organization } from '../../../../shared/organization.ts';
import { may } from '../../../../shared/permissions.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { CheckboxField, Form, FormActions, SubmitButton, TextField } from '../../components/form.tsx';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Section } from '../../components/section.tsx';
import { Status } from '../../components/status.tsx';
import { api } from '../../lib/api.ts';
import { withFallbackMessage } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { OrganizationLogo } from './logo.tsx';
import { useOrganizations } from './use-organizations.ts';

const Shape = z.extend(NewOrganization, { active: z.boolean() });

const Editable = chakra(Panel, {
  base: {
    display: 'flex',
    flexWrap: 'wrap-reverse',
    justifyContent: 'space-between',
    gap: '6',
    p: '4',
    '& form': { flex: '1 1 260px', maxWidth: '420px' },
  },
});

const Hint = chakra('span', { base: { display: 'block', color: 'fg.muted', fontSize: 'xs' } });

type Props = { organization: Organization };

/** Name, logo, and whether the organization is active. */
export function Details({ organization }: Props) {
  return (
    <Section title="Details">
      {may(organization.role, 'organization:edit') ? (
        <Editable>
          <DetailsForm organization={organization} />
          <OrganizationLogo organization={organization} />
        </Editable>
      ) : (
        <Panel display="flex" alignItems="center" gap="5" p="4">
          <Mark of={organization} size="large" />
          <Facts>
            <Fact name="Name">{organization.name}</Fact>
            <Fact name="Status">
              <Status tone={organization.active ? 'usual' : 'off'}>
                {organization.active ? 'Active' : 'Inactive'}
              </Status>
            </Fact>
          </Facts>
        </Panel>
      )}
    </Section>
  );
}

function DetailsForm({ organization: { id, name, active } }: Props) {
  const { updateInCache } = useOrganizations();
  const save = async (body: z.output<typeof Shape>) => {
    const params = { organization: String(id) };
    const call = api('PUT /api/organizations/{organization}', { params, body, organization: id });
    await updateInCache(await withFallbackMessage(call, 'Failed to update organization'));
  };
  return (
    <Form schema={Shape} initial={{ name, active }} save={save} onSaved={() => toast('Organization saved.')}>
      <TextField name="name" label="Name" autoComplete="off" />
      <CheckboxField name="active">
        Active
        <Hint>While an organization is not active, none of its automations send.</Hint>
      </CheckboxField>
      <FormActions>
        <SubmitButton busy="Saving...">Save</SubmitButton>
      </FormActions>
    </Form>
  );
}
