import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, it } from 'vitest';
import { secretOfStack } from '#functions/platform/secrets.ts';
import { mockedClient } from '../support/mocked-client.ts';

/** The local stack names its secrets to commands. */
const secrets = mockedClient(SecretsManagerClient);
const secretOf = (stack: string) => ({
  ARN: `arn of ${stack}`,
  Tags: [{ Key: 'aws:cloudformation:stack-name', Value: stack }],
});

it('the secret of a stack is found among those of other stages, on any page', async () => {
  secrets
    .on(ListSecretsCommand, { Filters: [{ Key: 'name', Values: ['TrackingKey'] }] })
    .callsFake(({ NextToken }) =>
      NextToken
        ? { SecretList: [secretOf('letterflow-dev-data')] }
        : { SecretList: [secretOf('other'), {}], NextToken: '2' },
    );
  expect(await secretOfStack('letterflow-dev-data', 'TrackingKey')).toBe('arn of letterflow-dev-data');
  await expect(secretOfStack('letterflow-prod-data', 'TrackingKey')).rejects.toThrow(
    'letterflow-prod-data has no secret',
  );
});
