import { describe, expect, it } from 'vitest';
import { composed } from './templates.ts';

const { all, templates } = composed('prod');

describe('the pages', () => {
  it('are copied after their assets, and revalidated each time', () => {
    const [assets, html] = all('Custom::CDKBucketDeployment');
    expect(assets?.Properties).toMatchObject({
      Exclude: ['*'],
      Include: ['assets/*'],
      Prune: false,
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
    });
    expect(html?.Properties).toMatchObject({
      Exclude: ['assets/*', 'reference/*', 'llms.txt'],
      SystemMetadata: { 'cache-control': 'no-cache' },
    });
    const { resources } = templates.find(({ stack }) => stack === html?.stack) ?? {};
    expect(resources?.[html?.id ?? '']?.DependsOn).toContain(assets?.id);
  });

  it('have their type and encoding where they are text for programs', () => {
    const reference = all('Custom::CDKBucketDeployment').slice(2);
    expect(reference.map(({ Properties: { Include, SystemMetadata } }) => [Include, SystemMetadata])).toEqual(
      [
        [['reference/*'], { 'cache-control': 'no-cache', 'content-type': 'text/markdown; charset=utf-8' }],
        [['llms.txt'], { 'cache-control': 'no-cache', 'content-type': 'text/plain; charset=utf-8' }],
      ],
    );
  });

  it('are not copied by the local stack, which serves them from where they were built', () => {
    expect(composed('local').all('Custom::CDKBucketDeployment')).toEqual([]);
  });
});
