import { Box, Stack, Text } from '@chakra-ui/react';
import * as z from 'zod/mini';
import { PRODUCT } from '#shared/brand.ts';
import type { Asked, ConnectionRequest } from '#shared/connection.ts';
import { mayHave, SCOPE_NAMES } from '#shared/permissions.ts';
import { MostPeople } from '#shared/token.ts';
import { TextLink } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { discardUnsaved } from '#web/lib/unsaved.ts';
import { ScopesField } from './scopes-field.tsx';

const Allowed = z.object({
  scopes: z.array(z.enum(SCOPE_NAMES)).check(z.minLength(1, 'Choose at least one')),
  max_people: MostPeople,
});
const { NumberField } = fieldsOf<z.input<typeof Allowed>>();

function goTo(url: string) {
  discardUnsaved();
  location.assign(url);
}

export default function ConnectForm({ asked, request }: { asked: Asked; request: ConnectionRequest }) {
  const { host, name, redirect_host, scopes, cancel } = request;
  const call = useOrganizationCall();
  const organization = useOrganization();
  const { role = 'VIEWER' } = organization ?? {};
  return (
    <Form
      schema={Allowed}
      initial={{ scopes: scopes.filter(scope => mayHave(role, scope)), max_people: null }}
      save={allowed => call('POST /api/connections', { body: { ...asked, ...allowed } })}
      onSaved={({ redirect }) => goTo(redirect)}
      eager
      failure="Failed to connect"
    >
      <Stack gap="4" maxWidth="560px">
        <p>
          <strong>{host}</strong> asks to use {PRODUCT} in your name.
        </p>
        <Panel p="4">
          <Facts>
            {name && <Fact name="Calls itself">{name}</Fact>}
            <Fact name="Gets the answer at">{redirect_host ?? 'a program on this computer'}</Fact>
            <Fact name="Organization">
              <Box overflowWrap="anywhere">
                <p>{organization?.name}</p>
                <Text color="fg.muted" fontWeight="normal">
                  Another one? Choose it in the sidebar first.
                </Text>
              </Box>
            </Fact>
          </Facts>
        </Panel>
        {redirect_host === null && (
          <Notice tone="warning">
            Any program on this computer can say that it is {host}. Go on only if you have just started to
            connect it.
          </Notice>
        )}
        <Box>
          <ScopesField role={role} offered={scopes} />
          <NumberField
            name="max_people"
            label="Most new people a plan may email"
            min={0}
            placeholder="No limit"
            hint="Optional: plans that would email more people who get nothing today are refused."
          />
          <Text color="fg.muted" fontSize="sm" my="4">
            It has this access until you disconnect it on your{' '}
            <TextLink to={paths.profile()}>profile</TextLink>.
          </Text>
          <FormActions>
            <CancelButton onClick={() => goTo(cancel)} />
            <SubmitButton loadingText="Connecting..." strict>
              Connect
            </SubmitButton>
          </FormActions>
        </Box>
      </Stack>
    </Form>
  );
}
