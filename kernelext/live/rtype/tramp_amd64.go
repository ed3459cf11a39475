package rtype

const stride = 16 // bytes of code of a trampoline
