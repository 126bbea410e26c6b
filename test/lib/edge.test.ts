import { expect, it } from 'vitest';
import { composed } from './templates.ts';

it('certificate and firewall are in the region in which CloudFront looks for them', () => {
  const { stacks, all } = composed('prod');
  expect(stacks.edge?.region).toBe('us-east-1');
  for (const type of ['AWS::WAFv2::WebACL', 'AWS::CertificateManager::Certificate']) {
    expect(all(type).map(({ stack }) => stack)).toEqual(['letterflow-prod-edge']);
  }
});
