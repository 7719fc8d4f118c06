'use client';

import { useEffect, useState } from 'react';
import { use } from './use.js';

export function Client() {
  const [text, setText] = useState('');
  useEffect(() => {
    use().then(setText, (error) => setText(String(error)));
  }, []);
  return <p id="client">{text}</p>;
}
